/** What the gateways of the tests take. Apart from them, so that a process that only calls one does not load it. */
export const accessToken = "0123456789abcdef";
export const apiKey = "key-1";
export const controlToken = "control-1";
