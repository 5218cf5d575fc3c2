import { Button } from "@mantine/core";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { List } from "../api/responses.ts";
import { ErrorNotice, Waiting } from "./notices.tsx";

interface PagedListProps<Item> {
  readonly list: UseInfiniteQueryResult<InfiniteData<List<Item>>>;
  /** What is said in place of a table without rows. */
  readonly empty: { readonly title: string; readonly text: string };
  /** The table of the items of all pages that were loaded; never asked for none. */
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list that is loaded page by page, with what stands around its rows: waiting, a failure, nothing, more. */
export function PagedList<Item>({ list, empty, children }: PagedListProps<Item>) {
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isError ? <ErrorNotice problem={list.error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? <Waiting label="Loading" /> : null}
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
