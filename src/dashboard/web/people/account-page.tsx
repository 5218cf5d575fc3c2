import { useSession } from "../api/session.ts";
import { Pair } from "../components/pair.tsx";
import { toLabel } from "../labels/state-words.ts";
import { ChangePassword } from "./change-password.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { SessionList } from "./session-list.tsx";
import { TokenList } from "./token-list.tsx";

/** What people can see and change about themselves. */
export function AccountPage() {
  const { user } = useSession();
  return (
    <>
      <div className="page-head">
        <h1>Your account</h1>
        <p className="quiet">
          {user.issuer === null
            ? "An admin sets your name, your role and your sources."
            : "Your name and your role come from your identity provider, at each sign-in. An admin sets your sources."}
        </p>
      </div>
      <div className="account">
        <section className="panel" aria-labelledby="you">
          <h2 id="you">You</h2>
          <dl className="pairs">
            <Pair term="Name">{user.displayName}</Pair>
            <Pair term="User name">{user.username}</Pair>
            <Pair term="Role">{toLabel(user.role)}</Pair>
            <Pair term="Sources">{user.sources === null ? "All" : user.sources.join(", ")}</Pair>
            <Pair term="Signs in with">{user.issuer ?? (user.hasSecondFactor ? "Password and code" : "Password")}</Pair>
          </dl>
        </section>
        {user.issuer === null ? (
          <section className="panel" aria-labelledby="password">
            <h2 id="password">Password</h2>
            <ChangePassword username={user.username} />
          </section>
        ) : null}
        {user.issuer === null ? (
          <section className="panel" aria-labelledby="second-factor">
            <h2 id="second-factor">Second factor</h2>
            <SecondFactor hasSecondFactor={user.hasSecondFactor} />
          </section>
        ) : null}
        <section className="panel" aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <p className="quiet">Where you are signed in. If you do not know one, end it and change your password.</p>
          <SessionList />
        </section>
        <section className="panel" aria-labelledby="tokens">
          <h2 id="tokens">Tokens</h2>
          <p className="quiet">What your programs send instead of signing in.</p>
          <TokenList />
        </section>
      </div>
    </>
  );
}
