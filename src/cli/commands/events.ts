import type { Command } from "commander";
import { agencySide } from "../delivery-side.ts";
import type { Finish, Terminal } from "../terminal.ts";
import { addDeliveryCommands } from "./deliveries.ts";
import { addRecipientCommands } from "./recipients.ts";

export function addEventsCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const events = program.command("events").description("events that the agency sends to other systems");
  const side = agencySide(terminal);
  addRecipientCommands(events.command("recipients").description("the systems that receive events"), {
    side,
    terminal,
    finish,
  });
  addDeliveryCommands(events.command("deliveries").description("deliveries of events"), {
    side,
    terminal,
  });
}
