import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { ErrorNotice, Loading } from "./notices.tsx";

/**
 * A page in a file of its own that is loaded when somebody opens it. Unlike with `lazy` of React, a load that failed can
 * be tried again.
 */
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
    if (page.isError) {
      return (
        <ErrorNotice
          problem={new Error("Check your connection. After an update of the server, reload the page in the browser.")}
          title="The page could not be loaded"
          onRetry={() => void page.refetch()}
        />
      );
    }
    if (page.isPending) return <Loading label="Loading" />;
    const { Page } = page.data;
    return <Page {...props} />;
  };
}

let nextPage = 0;
