export type Sideways = string;
