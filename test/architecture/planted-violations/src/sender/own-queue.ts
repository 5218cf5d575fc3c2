import { Queue } from "bullmq";

export const queue = Queue;
