import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type CsvSearch, fileUrl, readCsv } from "../api/api-client.ts";
import { ErrorCallout } from "./callouts.tsx";
import { saveFile } from "./save-file.ts";

interface ExportCsvProps {
  readonly list: `/${string}.csv`;
  /** The filters of the list as it is shown. */
  readonly query?: Readonly<Record<string, string>>;
  /** What is searched for, if anything is: it may be a name, which must not stand in an address. */
  readonly search?: CsvSearch | null;
}

export function ExportCsv({ list, query = {}, search = null }: ExportCsvProps) {
  if (search !== null) return <ExportFound search={search} />;
  return (
    <Button component="a" variant="default" href={fileUrl(list, query)} download>
      Export CSV
    </Button>
  );
}

function ExportFound({ search }: { readonly search: CsvSearch }) {
  const read = useMutation({
    mutationFn: async () => saveFile(await readCsv(search)),
  });
  return (
    <>
      <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
        Export CSV
      </Button>
      {read.isError ? <ErrorCallout problem={read.error} title="Nothing was exported" onClose={read.reset} /> : null}
    </>
  );
}
