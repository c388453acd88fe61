// Runs in the browser: shows avatars and returns their pictures to the test.
import { createAvatar } from '../src/index.ts'

/** The current speech: one viseme, the audio of an element with its visemes, or none. */
let visemes = []
let positionMs = () => undefined
let readPositionMs

const speech = () => {
  readPositionMs = positionMs()
  return readPositionMs === undefined ? undefined : { positionMs: readPositionMs, visemes }
}

let container
let view
let frames = 0
let listeners = []

const nextFrame = () => new Promise((resolve) => listeners.push(resolve))

const onFrame = (morphs) => {
  frames += 1
  const waiting = listeners
  listeners = []
  const seen = { morphs: Object.fromEntries(morphs), atMs: readPositionMs }
  // The canvas can be read only now: the browser clears it after it has shown it.
  for (const listen of waiting) listen(seen)
}

/** Pixels of a part of the picture, given as shares of its width and height. */
const pixels = ([left, top, width, height]) => {
  const canvas = container.querySelector('canvas')
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
  copy.drawImage(canvas, 0, 0)
  const whole = [left * canvas.width, top * canvas.height, width * canvas.width, height * canvas.height].map(Math.round)
  return copy.getImageData(...whole).data
}

const regions = {
  mouth: [0.38, 0.5, 0.24, 0.16],
  eyes: [0.32, 0.34, 0.36, 0.12],
  hair: [0.25, 0.05, 0.5, 0.15],
  foot: [0.4, 0.97, 0.2, 0.03],
}

const pictures = new Map()

const keepPicture = (name) => {
  const parts = Object.entries(regions).map(([region, place]) => [region, pixels(place)])
  pictures.set(name, Object.fromEntries(parts))
}

const statuses = []

globalThis.harness = {
  /** Resolves when it is ready or has failed. */
  show: (avatar, { size = 200, ...options } = {}) =>
    new Promise((resolve) => {
      container = document.createElement('div')
      Object.assign(container.style, { width: `${size}px`, height: `${size}px` })
      document.body.replaceChildren(container)
      statuses.length = 0
      view = createAvatar(container, {
        avatar,
        apiOrigin: location.origin,
        speech,
        quality: 'low',
        onFrame,
        ...options,
        onLoad(load) {
          statuses.push({ ...load, error: load.error?.code })
          if (load.status === 'ready' || load.status === 'error') resolve(load.error?.code ?? load.status)
        },
      })
    }),
  startAndClose: (avatar) => {
    void harness.show(avatar)
    view.close()
  },
  close: () => view.close(),
  loads: () => [...statuses],
  children: () => container.childElementCount,
  frames: () => frames,

  hold(id) {
    visemes = [{ id, start_ms: 0, end_ms: 1_000 }]
    positionMs = () => 500
  },
  /** Ends the speech. Resolves when the mouth has come to rest. */
  fallSilent: async () => {
    visemes = []
    positionMs = () => undefined
    for (;;) {
      const { morphs } = await nextFrame()
      if (Object.entries(morphs).every(([name, weight]) => !name.startsWith('viseme_') || weight < 0.005)) return
    }
  },

  nextMorphs: async () => (await nextFrame()).morphs,
  /** Waits for a blink and keeps its picture. */
  blink: async () => {
    for (;;) {
      const { morphs } = await nextFrame()
      if (morphs.eyeBlinkLeft < 0.4) continue
      keepPicture('blinking')
      return [morphs.eyeBlinkLeft, morphs.eyeBlinkRight]
    }
  },
  /** Keeps the parts of a frame's picture under a name: the next one, or the first that shows nothing of a target. */
  keep: async (name, without) => {
    let seen = await nextFrame()
    while (without !== undefined && seen.morphs[without] > 0) seen = await nextFrame()
    keepPicture(name)
  },
  /** By how much two kept pictures differ there, from 0 to 255. */
  difference: (one, other, region) => {
    const [a, b] = [pictures.get(one)[region], pictures.get(other)[region]]
    return a.reduce((sum, value, index) => sum + Math.abs(value - b[index]), 0) / a.length
  },
  /** How many pixels of a part are not transparent, from 0 to 1. */
  covered: (name, region) => {
    const part = pictures.get(name)[region]
    return part.filter((value, index) => index % 4 === 3 && value > 128).length / (part.length / 4)
  },

  graphics: (action) => {
    const canvas = container.querySelector('canvas')
    globalThis.graphics ??= canvas.getContext('webgl2').getExtension('WEBGL_lose_context')
    const done = action === 'loseContext' ? 'webglcontextlost' : 'webglcontextrestored'
    const changed = new Promise((resolve) => canvas.addEventListener(done, resolve, { once: true }))
    globalThis.graphics[action]()
    return changed.then(() => {})
  },
  pretendVisible(state) {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  },
  /** The number of frames of the avatar during four frames of the browser. */
  framesMeanwhile: async () => {
    const before = frames
    for (let i = 0; i < 4; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
    return frames - before
  },
  resize: async (width, height) => {
    Object.assign(container.style, { width: `${width}px`, height: `${height}px` })
    await nextFrame()
    await nextFrame()
    const { width: pixelsWide, height: pixelsHigh } = container.querySelector('canvas')
    return [pixelsWide, pixelsHigh]
  },

  /** Plays audio with these visemes. Resolves with the position and the dominant viseme of each frame. */
  speak: async (url, spoken) => {
    const context = new AudioContext()
    const file = await fetch(url)
    const source = new AudioBufferSourceNode(context, {
      buffer: await context.decodeAudioData(await file.arrayBuffer()),
    })
    source.connect(context.destination)
    await context.resume()
    let isOver = false
    source.addEventListener('ended', () => (isOver = true))
    source.start()
    const begun = context.currentTime
    visemes = spoken
    positionMs = () => (context.currentTime - begun) * 1000
    const seen = []
    while (!isOver) {
      const { morphs, atMs } = await nextFrame()
      const mouth = Object.entries(morphs).filter(([name]) => name.startsWith('viseme_'))
      const [name, weight] = mouth.reduce((largest, one) => (one[1] > largest[1] ? one : largest))
      seen.push({ atMs, viseme: weight < 0.05 ? 'sil' : name.slice(7) })
    }
    await context.close()
    return seen
  },
}
