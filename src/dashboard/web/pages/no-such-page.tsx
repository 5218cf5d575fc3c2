import { Link } from "wouter";

export function NoSuchPage() {
  return (
    <>
      <h1>No such page</h1>
      <p>
        Nothing is at this address. <Link href="/">Go to the queue</Link>.
      </p>
    </>
  );
}
