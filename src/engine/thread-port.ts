import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { WorkerPort } from '#src/engine/sqlite-worker.ts'

/** The channel of a real worker thread. */
export const threadPort = (channel: MessagePort): WorkerPort => ({
  on: (event, listener) => channel.on(event, listener),
  postMessage: (message, moved = []) => channel.postMessage(message, moved),
  receive: () => receiveMessageOnPort(channel),
  close: () => channel.close(),
})
