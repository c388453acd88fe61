import { describeWithPrograms } from '@parlance/testing'
import { testedBrowser } from '@parlance/testing/browser'
import type { AvatarLoad } from '../src/avatar-load.js'
import { type AvatarPage, openAvatarPage } from './avatar-page.js'

/** Equal pictures differ by less than this, of 255, and different ones by much more. */
const same = 1

describeWithPrograms([testedBrowser], 'an avatar in a browser', () => {
  let avatar: AvatarPage
  beforeAll(async () => {
    avatar = await openAvatarPage()
  })
  afterAll(() => avatar?.close())
  afterEach(() => expect(avatar.problems.splice(0)).toEqual([]))

  test('it downloads, verifies and parses, reports each step, and is then visible', async () => {
    const { good } = avatar.avatars
    await expect(avatar.call('show', good)).resolves.toBe('ready')
    const loads = await avatar.call<AvatarLoad[]>('loads')
    const statuses = loads.map(({ status }) => status)
    expect([...new Set(statuses)]).toEqual(['idle', 'downloading', 'verifying', 'parsing', 'ready'])
    const progress = loads.map((load) => load.progress)
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(loads.at(-1)).toMatchObject({
      progress: 1,
      loaded_bytes: good.asset.size_bytes,
      total_bytes: good.asset.size_bytes,
    })
    await avatar.call('keep', 'at rest', 'eyeBlinkLeft')
    expect(await avatar.call('covered', 'at rest', 'mouth')).toBeGreaterThan(0.9)
  })

  test('"aaa" and "mmm" look different, and only the face moves for them', async () => {
    await avatar.call('hold', 'aa')
    expect(await avatar.call('nextMorphs')).toMatchObject({ viseme_PP: 0, viseme_aa: expect.closeTo(0.88) })
    await avatar.call('keep', 'aaa', 'eyeBlinkLeft')
    await avatar.call('hold', 'PP')
    expect(await avatar.call('nextMorphs')).toMatchObject({ viseme_PP: 1, viseme_aa: 0 })
    await avatar.call('keep', 'mmm', 'eyeBlinkLeft')
    await avatar.call('fallSilent')
    expect(await avatar.call('difference', 'aaa', 'mmm', 'mouth')).toBeGreaterThan(10 * same)
    expect(await avatar.call('difference', 'mmm', 'at rest', 'mouth')).toBeGreaterThan(2 * same)
    // The browser prefers reduced motion, so nothing sways.
    expect(await avatar.call('difference', 'aaa', 'mmm', 'hair')).toBeLessThan(same)
  })

  test('it blinks with both eyes', async () => {
    expect(await avatar.call('blink')).toEqual([expect.any(Number), expect.any(Number)])
    expect(await avatar.call('difference', 'at rest', 'blinking', 'eyes')).toBeGreaterThan(2 * same)
    expect(await avatar.call('difference', 'at rest', 'blinking', 'mouth')).toBeLessThan(same)
  })

  test('the mouth follows the clock of the audio that is played', async () => {
    const ids = ['aa', 'PP', 'O', 'SS', 'E', 'nn', 'U', 'FF', 'I', 'sil']
    const spoken = Array.from({ length: 14 }, (_, at) => ({
      id: ids[at % ids.length]!,
      start_ms: at * 150,
      end_ms: at * 150 + 150,
    }))
    const seen = await avatar.call<{ atMs: number; viseme: string }[]>('speak', '/two-seconds.wav', spoken)
    await avatar.call('fallSilent')
    const errors = seen
      .filter(({ atMs }) => atMs < 1_950)
      .map(({ atMs, viseme }) => {
        const sounding = spoken.filter(({ id }) => id === viseme)
        return Math.min(...sounding.map(({ start_ms, end_ms }) => Math.max(start_ms - atMs, atMs - end_ms, 0)))
      })
    expect(errors.length).toBeGreaterThan(3)
    expect(new Set(seen.map(({ viseme }) => viseme)).size).toBeGreaterThan(3)
    expect(Math.max(...errors)).toBeLessThanOrEqual(60)
  })

  test('without reduced motion the head moves', async () => {
    await avatar.page.emulateMedia({ reducedMotion: 'no-preference' })
    let difference = 0
    while (difference < 2 * same) {
      await avatar.call('keep', 'later')
      difference = await avatar.call('difference', 'at rest', 'later', 'eyes')
    }
    await avatar.page.emulateMedia({ reducedMotion: 'reduce' })
  })

  test('it is rendered again when the lost WebGL context is restored', async () => {
    await avatar.call('graphics', 'loseContext')
    expect(await avatar.call('framesMeanwhile')).toBe(0)
    await avatar.call('graphics', 'restoreContext')
    await avatar.call('keep', 'restored', 'eyeBlinkLeft')
    for (const region of ['mouth', 'eyes', 'hair']) {
      expect(await avatar.call('difference', 'at rest', 'restored', region)).toBeLessThan(same)
    }
  })

  test('no frame is rendered while the page is hidden, or the container has no size', async () => {
    await avatar.call('pretendVisible', 'hidden')
    expect(await avatar.call('framesMeanwhile')).toBe(0)
    await avatar.call('pretendVisible', 'visible')
    expect(await avatar.call('framesMeanwhile')).toBeGreaterThan(0)
  })

  test('it fills its container after every change of the size', async () => {
    expect(await avatar.call('resize', 180, 120)).toEqual([180, 120])
    expect(await avatar.call('resize', 80, 240)).toEqual([80, 240])
    await avatar.call('keep', 'tall')
    expect(await avatar.call('covered', 'tall', 'foot')).toBeGreaterThan(0.9)
  })

  test('closing it leaves the container empty', async () => {
    await avatar.call('close')
    expect(await avatar.call('children')).toBe(0)
    expect(await avatar.call('framesMeanwhile')).toBe(0)
  })

  test('an avatar that is closed while it loads never appears', async () => {
    await avatar.call('startAndClose', avatar.avatars.good)
    await expect(avatar.call('show', avatar.avatars.noModel)).resolves.toBe('invalid_model')
    expect(await avatar.call('children')).toBe(0)
  })

  test.each([
    ['is not there', { url: '/nowhere.glb' }, 'download_failed'],
    ['is on an unknown host', { url: 'http://nowhere.invalid/model.glb' }, 'download_failed'],
    ['has no address', { url: 'http://' }, 'download_failed'],
    ['is longer than announced', { size_bytes: 100 }, 'download_failed'],
    ['has another hash than announced', { sha256: '0'.repeat(64) }, 'verification_failed'],
  ])('a file that %s causes only an error', async (_, changed, code) => {
    const { good } = avatar.avatars
    await expect(avatar.call('show', { ...good, asset: { ...good.asset, ...changed } })).resolves.toBe(code)
    expect(await avatar.call('children')).toBe(0)
    expect((await avatar.call<AvatarLoad[]>('loads')).at(-1)).toMatchObject({ status: 'error', error: code })
  })
})
