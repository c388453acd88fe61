import { availableParallelism } from 'node:os'

/** Tests run on the TypeScript sources; only processes that a test starts run from `dist/`. */
export default {
  roots: [
    '<rootDir>/libs',
    '<rootDir>/web',
    '<rootDir>/sdks',
    '<rootDir>/tools',
    '<rootDir>/engines',
    '<rootDir>/services',
    '<rootDir>/admin',
    '<rootDir>/cli',
    '<rootDir>/tests',
  ],
  testMatch: ['**/test/**/*.test.ts', '<rootDir>/tests/**/*.test.ts'],
  testEnvironment: 'node',
  // Most suites wait for servers of their own for much of their time: three workers leave a third of two cores idle. With five the
  // engines of speech, which have a low priority, get too little of them.
  maxWorkers: Math.max(4, availableParallelism() - 1),
  testSequencer: '<rootDir>/tests/setup/longest-first.cjs',
  // Ends a test that hangs. A busy machine may need a multiple of what a test takes alone.
  testTimeout: 180_000,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  resolver: '<rootDir>/jest.resolver.cjs',
  moduleNameMapper: {
    '^@parlance/service-([a-z-]+)$': '<rootDir>/services/$1/src/index.ts',
    '^@parlance/engine-([a-z-]+)$': '<rootDir>/engines/$1/src/index.ts',
    '^@parlance/cli$': '<rootDir>/cli/src/index.ts',
    '^@parlance/(client|react|avatar)$': '<rootDir>/web/$1/src/index.ts',
    '^@parlance/(client|react|avatar)/([a-z-]+)$': '<rootDir>/web/$1/src/$2.ts',
    '^@parlance/server$': '<rootDir>/sdks/node/src/index.ts',
    '^@parlance/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@parlance/(?!engine-|service-)([a-z-]+)/([a-z-]+)$': '<rootDir>/libs/$1/src/$2/index.ts',
    '^fast-check$': '<rootDir>/tests/setup/seeded-fast-check.ts',
    '^@evan/opus$': '<rootDir>/libs/audio/test/encoding/opus-under-jest.cjs',
  },
  modulePathIgnorePatterns: ['/dist/', '/.parlance/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
    '^.+\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          target: 'es2023',
        },
        module: { type: 'es6' },
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
}
