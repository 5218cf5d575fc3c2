import "./component-styles.css";
import "./styles.css";
import { App } from "./app.tsx";
import { readPageSettings } from "./page-settings.ts";
import { renderPages } from "./parts/render-pages.tsx";

const { styleNonce, demoUsers } = readPageSettings(document);

renderPages(<App demoUsers={demoUsers} />, { styleNonce, staleMs: 5_000 });
