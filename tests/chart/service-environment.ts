import type { Service } from '@parlance/runtime'
import { services as all } from '@parlance/service-standalone'
import type { z } from 'zod'
import { parseEnvironment } from '../../libs/runtime/src/environment.js'
import { natsProblems } from '../../libs/runtime/src/nats/index.js'
import { missingAddresses, platformEnvironmentSchema } from '../../libs/runtime/src/platform-environment.js'
import { type KubernetesObject, podSpecOf } from './rendering.js'

/** Every service that runs as a process of its own, by its name. */
export const services: ReadonlyMap<string, Service> = new Map(all.map((one) => [one.name, one]))

/** The variables that a service reads, those of every process among them. */
export const knownVariables = ({ env }: Service): string[] => [
  ...Object.keys(platformEnvironmentSchema.shape),
  ...Object.keys((env as z.ZodObject).shape),
]

/** Valid contents of Secrets, by the name of the variable. */
const secrets: Record<string, string> = {
  API_KEY_PEPPERS: '1:0123456789abcdef',
  CALENDAR_FEED_KEY: '0123456789abcdef',
  DATABASE_URL: 'postgres://parlance:password@postgres:5432/parlance',
  OIDC_CLIENT_SECRET: 'secret-of-the-client',
  REDIS_URL: 'redis://redis:6379',
  SMTP_URL: 'smtps://mail.example.com',
}

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef?: { readonly optional?: boolean } }
}

/** What the container of a service is started with. Optional Secrets are missing, as they may be. */
const environmentOf = (variables: readonly Variable[]): Record<string, string> =>
  Object.fromEntries(
    variables
      .filter(({ valueFrom }) => valueFrom?.secretKeyRef?.optional !== true)
      .map(({ name, value, valueFrom }) => [
        name,
        value ?? (valueFrom?.secretKeyRef ? (secrets[name] ?? 'secret') : '10.0.0.1'),
      ]),
  )

/**
 * Problems of the variables in the workload of a service, a line each: one that no part of the service reads, one that is not
 * valid, or one that is missing. `ownVariables` are those that the user of the chart added.
 */
export const environmentProblems = (workload: KubernetesObject, ownVariables: readonly string[] = []): string[] => {
  const name = workload.metadata.labels?.['app.kubernetes.io/component'] ?? ''
  const service = services.get(name)
  if (service === undefined) return [`${workload.metadata.name} is not a service`]
  const variables: Variable[] = podSpecOf(workload).containers[0].env
  const known = new Set([...knownVariables(service), ...ownVariables])
  const names = variables.map((variable) => variable.name)
  const environment = environmentOf(variables)
  const { problems } = parseEnvironment([platformEnvironmentSchema, service.env], environment)
  return [
    ...names.filter((variable) => !known.has(variable)).map((variable) => `${variable} is read by no part of it`),
    ...names
      .filter((variable, index) => names.indexOf(variable) !== index)
      .map((variable) => `${variable} is set twice`),
    ...problems,
    ...natsProblems(environment),
    ...missingAddresses([service], environment),
  ].map((problem) => `${name}: ${problem}`)
}
