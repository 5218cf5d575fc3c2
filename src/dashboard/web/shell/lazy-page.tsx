import { useQuery } from "@tanstack/react-query";
import { type ComponentType, useEffect } from "react";
import { connection } from "../api/connection.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";

/** A page in a file of its own that is loaded when somebody opens it. */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => React.JSX.Element {
  const queryKey = ["page", nextPage++];
  return function LazyPage(props: Props) {
    const page = useQuery({
      queryKey,
      queryFn: async () => ({ Page: await load() }),
      staleTime: "static",
      structuralSharing: false,
    });
    if (page.isError) return <NotLoaded />;
    if (page.isPending) return <Loading label="Loading" />;
    const { Page } = page.data;
    return <Page {...props} />;
  };
}

let nextPage = 0;

/** Browsers keep in mind that a module failed to load, so only another document can try again. */
function NotLoaded() {
  const reload = (): void => globalThis.location.reload();
  useEffect(() => {
    connection.doubt();
    return connection.subscribe(() => {
      if (connection.outage() === null) reload();
    });
  }, []);
  return (
    <ErrorCallout
      problem={new Error("The connection is down, or the server has been updated meanwhile.")}
      title="The page could not be loaded"
      onRetry={reload}
    />
  );
}
