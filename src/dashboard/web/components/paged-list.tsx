import { Button } from "@mantine/core";
import { type InfiniteData, type UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { List } from "../api/responses.ts";
import { ErrorCallout, LoadingRows } from "./callouts.tsx";

interface PagedListProps<Item> {
  readonly list: UseInfiniteQueryResult<InfiniteData<List<Item>>>;
  readonly empty: { readonly title: string; readonly text: ReactNode };
  /** Not called if there are no items. */
  readonly children: (items: readonly Item[]) => ReactNode;
}

export function PagedList<Item>({ list, empty, children }: PagedListProps<Item>) {
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isError ? <ErrorCallout problem={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? <LoadingRows label="Loading" /> : null}
      {list.data !== undefined && items.length === 0 ? (
        <div className="empty">
          <h2>{empty.title}</h2>
          <p>{empty.text}</p>
        </div>
      ) : null}
      {items.length === 0 ? null : children(items)}
      {list.hasNextPage ? (
        <div className="list-foot">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}
