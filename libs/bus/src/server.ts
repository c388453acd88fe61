import type { Contract, Method } from '@parlance/contracts'
import type { Bus, Message, Subscription } from './bus.js'
import type { AnyHandler, Handlers } from './handlers.js'
import { answerMicro, createEndpoint, type Endpoint } from './micro.js'
import { createRequestAnswerer } from './request-answerer.js'
import { subjectOf } from './subject.js'
import type { BusTelemetry } from './telemetry.js'

/**
 * The membership of this process in a queue group. Leaving loses no message: those in flight are still delivered. The process
 * may join again before that.
 */
const createQueueMembership = (subscribe: () => Subscription[]) => {
  const leaving = new Set<Promise<void>>()
  let subscriptions: Subscription[] = []
  let joined = false

  const leave = (subscription: Subscription) => {
    // A closed connection delivers nothing more.
    const drained = subscription
      .drain()
      .catch(() => undefined)
      .finally(() => leaving.delete(drained))
    leaving.add(drained)
  }

  return {
    setJoined(wanted: boolean) {
      if (wanted === joined) return
      joined = wanted
      if (joined) subscriptions = subscribe()
      else for (const subscription of subscriptions.splice(0)) leave(subscription)
    },
    /** Resolves when no message of a membership that was left can still arrive. */
    async drained() {
      await Promise.all(leaving)
    },
  }
}

/** The instance that serves the contract, and where it reports to. */
export interface ServeOptions extends BusTelemetry {
  /** Unique among running processes. */
  instanceId: string
  /**
   * Serves the contract in a lane, which has its own subjects and its own queue group. For an instance with several kinds
   * of work behind one contract, where one may be at capacity while another is not. Lower-case letters, digits and hyphens.
   */
  lane?: string
  /** Shown by `$SRV.INFO`. */
  metadata?: Record<string, string>
}

/**
 * Answers a contract's calls and streams on the bus, and the `$SRV` requests of NATS' own service tools. Resolves when
 * callers can reach it.
 */
export const serve = async <C extends Contract>(
  bus: Bus,
  contract: C,
  handlers: Handlers<C>,
  options: ServeOptions,
) => {
  const { lane } = options
  const service = contract.name
  const queue = lane === undefined ? service : `${service}.${lane}`
  const running = new Set<Promise<void>>()
  const endpoints: Endpoint[] = []
  const ofInstance: Subscription[] = []
  const queued: { subject: string; onMessage: (message: Message) => void }[] = []

  for (const [name, method] of Object.entries<Method>(contract.methods)) {
    if (method.kind === 'event') continue
    const endpoint = createEndpoint(name, subjectOf(service, name, { lane }), queue)
    const handler = handlers[name as keyof Handlers<C>] as AnyHandler
    const answer = createRequestAnswerer({
      ...options,
      bus,
      service,
      version: contract.version,
      name,
      method,
      handler,
      endpoint,
    })
    const onMessage = (message: Message) => {
      // A message without a reply subject is not a request.
      if (message.reply === undefined) return
      const work = answer(message, message.reply).finally(() => running.delete(work))
      running.add(work)
    }
    endpoints.push(endpoint)
    queued.push({ subject: endpoint.subject, onMessage })
    ofInstance.push(bus.subscribe(subjectOf(service, name, { lane, instance: options.instanceId }), onMessage))
  }
  const group = createQueueMembership(() =>
    queued.map(({ subject, onMessage }) => bus.subscribe(subject, onMessage, { queue })),
  )
  group.setJoined(true)
  const micro = answerMicro(bus, contract, endpoints, options)
  await bus.flush()

  let stopped = false
  return {
    /**
     * Joins or leaves the queue group, which the instance is in from the start. Requests in flight when it leaves are still
     * answered; later ones go to the other instances. Requests that address this instance always arrive.
     */
    setAvailable(available: boolean): void {
      if (!stopped) group.setJoined(available)
    },
    /** Accepts no more requests, and resolves when those in progress have been answered. */
    async stop(): Promise<void> {
      stopped = true
      group.setJoined(false)
      micro.stop()
      await Promise.all([group.drained(), ...ofInstance.map((subscription) => subscription.drain())])
      await Promise.all(running)
      await bus.flush().catch(() => undefined)
    },
  }
}

export type ServedContract = Awaited<ReturnType<typeof serve>>
