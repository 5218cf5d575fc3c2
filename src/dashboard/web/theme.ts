import { createTheme, Drawer, type MantineColorsTuple, Modal } from "@mantine/core";

/** The shades that text and buttons use have a contrast of 4.5:1 against white and against the dark ground. */
const sky: MantineColorsTuple = [
  "#eef6fc",
  "#d9e9f7",
  "#b0d2ee",
  "#84b9e5",
  "#60a4dd",
  "#4a97d9",
  "#2f7fc4",
  "#1c6aae",
  "#0d5694",
  "#04437a",
];

/** Replaces Mantine's greys, to match the surfaces of styles.css. */
const dark: MantineColorsTuple = [
  "#e8edf2",
  "#c5ced7",
  "#a2afbb",
  "#8694a1",
  "#3d4754",
  "#303843",
  "#232a33",
  "#1b2027",
  "#14181d",
  "#0f1317",
];

export const theme = createTheme({
  colors: { sky, dark },
  primaryColor: "sky",
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: "sm",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Without this role, assistive technology takes its header for the banner of the page.
    Drawer: Drawer.extend({ defaultProps: { attributes: { header: { role: "presentation" } } } }),
    Modal: Modal.extend({ defaultProps: { attributes: { header: { role: "presentation" } } } }),
  },
});
