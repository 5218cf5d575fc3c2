import { lazyPage } from "../shell/lazy-page.tsx";

export const LazyTravellerText = lazyPage(async () => (await import("./traveller-text.tsx")).TravellerTextPart);
