/** Whether the keyboard has Command where others have Control. Apart from what tests read where there is no browser. */
export const isMac = /mac|iphone|ipad/i.test(navigator.platform);
