import type { Service } from '@parlance/runtime'
import { agents } from '@parlance/service-agents'
import { auth } from '@parlance/service-auth'
import type { CheckContext, Finding, Status } from '../../src/doctor/check.js'
import { createFakeModelTools } from '../fake-model-tools.js'

/** An installation over NATS with the variables that a test sets. */
export const createContext = (overrides: Partial<CheckContext> = {}): CheckContext => ({
  environment: {},
  isStandalone: false,
  services: [auth, agents] as Service[],
  models: createFakeModelTools(),
  modelsDir: 'models',
  ...overrides,
})

export const notAborted = new AbortController().signal

/** Expects a finding of this status. Errors and warnings must have a fix. */
export const expectFinding = (findings: readonly Finding[], status: Status, found: RegExp): void => {
  expect(findings).toContainEqual({
    status,
    found: expect.stringMatching(found),
    ...(status === 'error' || status === 'warning' ? { fix: expect.stringMatching(/\S/) } : {}),
  })
}

/** Expects no errors and no warnings. */
export const expectFine = (findings: readonly Finding[]): void => {
  expect(findings.filter(({ status }) => status === 'error' || status === 'warning')).toEqual([])
  expect(findings.length).toBeGreaterThan(0)
}
