/** What ends a turn: its message goes to the user as an `error` event. */
export class ChatFault extends Error {}
