import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { PostgresPort } from '#src/engine/postgres-worker.ts'
import type { WorkerPort } from '#src/engine/sqlite-worker.ts'

export type ThreadPort = WorkerPort & PostgresPort

/** The channel of a real worker thread. */
export const threadPort = (channel: MessagePort): ThreadPort => ({
  on: (event, listener) => channel.on(event, listener),
  postMessage: (message: unknown, moved: ArrayBuffer[] = []) => channel.postMessage(message, moved),
  receive: () => receiveMessageOnPort(channel),
  close: () => channel.close(),
})
