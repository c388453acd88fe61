import { iterate } from '@parlance/async/push-stream'
import { type CallOptions, createClient, type Handlers, serve } from '../../src/index.js'
import { encodeFrame, handlerFrame } from '../../src/stream/stream-frame.js'
import { type BusPair, describeBuses, kitchen, newInstanceId } from '../buses.js'

export type Courses = Handlers<typeof kitchen>['courses']

/** Describes streams of courses over every adapter. */
export const describeCourses = (name: string, suite: (scene: CoursesScene) => void): void =>
  describeBuses(name, (open) => {
    const scene = new CoursesScene()
    beforeEach(async () => {
      scene.pair = await open()
    })
    afterEach(() => scene.pair.close())
    suite(scene)
  })

export class CoursesScene {
  pair!: BusPair

  readonly serveCourses = (courses: Courses) =>
    serve(this.pair.callee, kitchen, { cook: () => ({ served: '' }), courses }, { instanceId: newInstanceId() })

  readonly courses = (count: number, { signal, ...options }: CallOptions = {}) =>
    iterate(createClient(this.pair.caller, kitchen).courses({ count }, options), signal)

  /** A handler that sends these frames and then nothing. `end` is what the end of its process does on the bus. */
  readonly serveFrames = async (frames: Uint8Array[]) => {
    const { callee } = this.pair
    callee.subscribe('parlance.kitchen.courses', ({ reply }) => {
      callee.publish(reply!, encodeFrame(handlerFrame.open, 0), { reply: 'parlance.test.control' })
      for (const frame of frames) callee.publish(reply!, frame)
    })
    // The control frames have a subscriber, as those to a frozen process have.
    const control = callee.subscribe('parlance.test.control', () => undefined)
    await callee.flush()
    return { end: () => control.unsubscribe() }
  }
}
