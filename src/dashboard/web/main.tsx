import "./component-styles.css";
import "./styles.css";
import { App } from "./app.tsx";
import { readPageSettings } from "./page-settings.ts";
import { renderPages } from "./shell/render-pages.tsx";

const { styleNonce, ...settings } = readPageSettings(document);

renderPages(<App {...settings} />, { styleNonce, staleMs: 5_000 });
