import { AppError } from "../../kernel/app-error.ts";
import type { Supply } from "./supply.ts";

export const noSupplyCode = "gateway.no_supply";

/** For a gateway that has orders and sells nothing. */
export const noSupply: Supply = {
  currencies: [],
  shop: refuseToSell,
  price: refuseToSell,
  brandedVariants: refuseToSell,
  split: refuseToSell,
  fareRules: refuseToSell,
  services: refuseToSell,
  seatMaps: refuseToSell,
  reshop: refuseToSell,
};

/** @throws AppError `gateway.no_supply` */
export async function refuseToSell(): Promise<never> {
  const message = "This gateway has no flights to sell: its setting SUPPLY is none. Make orders from order views.";
  throw new AppError(noSupplyCode, message);
}
