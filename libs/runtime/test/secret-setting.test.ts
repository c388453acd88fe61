import { type ReadSecret, readKeySetting, readSecretSetting, StartupError } from '../src/index.js'

const readSecret: ReadSecret = (reference) => {
  if ('file' in reference && reference.file === '/run/secret') return 'from a file'
  throw new Error('the file /nowhere cannot be read (ENOENT)')
}

test('a secret is in a variable, in the file that another variable names, or undefined', () => {
  expect(readSecretSetting({ SECRET: ' from a variable\n' }, 'SECRET', readSecret)).toBe('from a variable')
  expect(readSecretSetting({ SECRET_FILE: '/run/secret' }, 'SECRET', readSecret)).toBe('from a file')
  expect(readSecretSetting({}, 'SECRET', readSecret)).toBeUndefined()
  expect(readSecretSetting({ SECRET: ' ' }, 'SECRET', readSecret)).toBeUndefined()
})

test('a secret that is set twice, or cannot be read, stops the start', () => {
  const twice = () => readSecretSetting({ SECRET: 'abc', SECRET_FILE: '/run/secret' }, 'SECRET', readSecret)
  expect(twice).toThrow(new StartupError(['SECRET and SECRET_FILE are both set. Set one of them.']))
  const unreadable = () => readSecretSetting({ SECRET_FILE: '/nowhere' }, 'SECRET', readSecret)
  expect(unreadable).toThrow('SECRET_FILE: the file /nowhere cannot be read (ENOENT).')
  expect(unreadable).toThrow(StartupError)
})

test('a key that is not a valid header value stops the start, and is not shown', () => {
  expect(readKeySetting({ KEY: 'sk-abc' }, 'KEY', readSecret)).toBe('sk-abc')
  expect(readKeySetting({}, 'KEY', readSecret)).toBeUndefined()
  expect(() => readKeySetting({ KEY: 'two\nlines' }, 'KEY', readSecret)).toThrow(
    new StartupError(['KEY contains characters that a key cannot have.']),
  )
})
