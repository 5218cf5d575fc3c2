import { Link } from "wouter";

export function NoSuchPage() {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        There is no page at this address. <Link href="/">Go to the queue</Link>.
      </p>
    </>
  );
}
