import { orAborted } from '../src/index.js'

const never = new Promise<never>(() => {})

test('settles as the work does while the signal is not aborted', async () => {
  const { signal } = new AbortController()
  await expect(orAborted(Promise.resolve('done'), signal)).resolves.toBe('done')
  await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
})

test('rejects with the reason as soon as the signal is aborted', async () => {
  const controller = new AbortController()
  const waiting = orAborted(never, controller.signal)
  controller.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
})

test('rejects with the reason of a signal that is aborted already, and ignores how the work ends', async () => {
  const signal = AbortSignal.abort(new Error('left'))
  await expect(orAborted(Promise.resolve('done'), signal)).rejects.toThrow('left')
  await expect(orAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('left')
})
