/** What the tests use of the package, which has no types. */
declare module 'node-turn' {
  interface TurnOptions {
    readonly authMech: 'long-term' | 'none'
    readonly credentials: Record<string, string>
    readonly listeningIps: readonly string[]
    readonly relayIps: readonly string[]
    readonly listeningPort: number
    readonly debugLevel: string
  }
  export default class Turn {
    constructor(options: TurnOptions)
    start(): void
    stop(): void
  }
}
