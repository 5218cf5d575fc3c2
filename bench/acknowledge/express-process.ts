// What one would write in an afternoon: Express, passport, zod, and a job in BullMQ on Redis before the response.
import type { AddressInfo } from "node:net";
import { Queue } from "bullmq";
import express from "express";
import passport from "passport";
import { BasicStrategy } from "passport-http";
import { z } from "zod";
import { orderNumberOf } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";

const airport = z.looseObject({ AirportCode: z.string(), Date: z.string(), Time: z.string() });
const flight = z.looseObject({ SegmentKey: z.string(), Departure: airport, Arrival: airport });
const notification = z.object({
  OrderViewRS: z.looseObject({
    Order: z.array(
      z.looseObject({
        OrderID: z.string(),
        GdsBookingReference: z.string(),
        ScheduleChange: z.array(z.looseObject({})),
      }),
    ),
    DataLists: z.looseObject({
      FlightSegmentList: z.looseObject({ FlightSegment: z.array(flight) }),
      ScheduleChangeSegmentList: z.looseObject({ ScheduleChangeSegment: z.array(z.looseObject({})) }),
    }),
  }),
});

let queue: Queue<z.infer<typeof notification>>;

const calls = {
  async listen(setting: { readonly redisPort: number; readonly user: string; readonly password: string }) {
    queue = new Queue("notifications", { connection: { host: "127.0.0.1", port: setting.redisPort } });
    passport.use(
      new BasicStrategy((user, password, done) =>
        done(null, user === setting.user && password === setting.password ? { user } : false),
      ),
    );
    const app = express();
    app.post(
      "/ocn",
      passport.authenticate("basic", { session: false }),
      express.json({ limit: "2mb" }),
      async (request, response) => {
        const reading = notification.safeParse(request.body);
        if (!reading.success) return void response.status(422).json(reading.error.issues);
        await queue.add("notification", reading.data);
        response.json({ AcknowledgeResponse: { Status: "OK" } });
      },
    );
    const server = await new Promise<ReturnType<typeof app.listen>>((resolve) => {
      const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },

  /** What is in the queue, counted by BullMQ and then read job by job; afterwards it is empty. */
  async takeCounts() {
    const { waiting = 0 } = await queue.getJobCounts("waiting");
    let [read, orderSum] = [0, 0];
    for (let from = 0; from < waiting; from += 500) {
      for (const { data } of await queue.getWaiting(from, from + 499)) {
        read += 1;
        for (const { OrderID } of data.OrderViewRS.Order) orderSum += orderNumberOf(OrderID);
      }
    }
    await queue.obliterate({ force: true });
    return { waiting, read, orderSum };
  },
};
export type ExpressCalls = typeof calls;
serveCalls(calls);
