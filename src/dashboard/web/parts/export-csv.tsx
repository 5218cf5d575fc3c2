import { Button } from "@mantine/core";
import { csvUrl } from "../api/api-client.ts";

interface ExportCsvProps {
  readonly list: Parameters<typeof csvUrl>[0];
  /** The filters of the list as it is shown. */
  readonly query?: Readonly<Record<string, string>>;
}

export function ExportCsv({ list, query = {} }: ExportCsvProps) {
  return (
    <Button component="a" variant="default" href={csvUrl(list, query)} download>
      Export CSV
    </Button>
  );
}
