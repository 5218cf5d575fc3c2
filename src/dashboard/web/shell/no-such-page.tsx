import "./no-such-page.css";
import { Link, useLocation } from "wouter";

interface NoSuchPageProps {
  readonly brand: string;
  /** Where people may have wanted to go. */
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** The page of an unknown address, on the side of the agency and of the gateway. */
export function NoSuchPage({ brand, links }: NoSuchPageProps) {
  const [location] = useLocation();
  return (
    <>
      <title>{`Page not found · ${brand}`}</title>
      <div className="page-head">
        <h1>Page not found</h1>
      </div>
      <div className="empty">
        <h2>There is no page at this address</h2>
        <p>
          <code className="path">{location}</code>
        </p>
        <p>Check the address, or go on here:</p>
        <ul className="ways-on">
          {links.map(({ href, label }) => (
            <li key={href}>
              <Link href={href}>{label}</Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
