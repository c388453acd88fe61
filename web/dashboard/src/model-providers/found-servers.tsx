import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { ProblemAlert } from '../shared/problem-alert.js'
import { type FoundServer, useCreateProvider, useModelServers, useProviders } from './provider-queries.js'

/** The models of a server, in a few words. */
const modelsOf = ({ models }: FoundServer): string => {
  if (models.length === 0) return 'It has no model yet.'
  const more = models.length - 3
  return `${models.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The servers on this machine that are not providers of the workspace yet. */
export const useNewServers = (): readonly FoundServer[] => {
  const servers = useModelServers()
  const providers = useProviders()
  const known = new Set(providers.data?.map(({ url }) => url))
  return providers.data === undefined ? [] : (servers.data?.found ?? []).filter(({ url }) => !known.has(url))
}

/** Offers the model servers that were found, each with one click. Nothing without any. */
export const FoundServers = () => {
  const found = useNewServers()
  const create = useCreateProvider()
  return (
    <Stack gap="sm">
      <ProblemAlert error={create.error} />
      {found.map((server) => (
        <Card key={server.url} withBorder padding="sm">
          <Group justify="space-between" gap="sm">
            <div>
              <Text fw={550}>{server.name} is running on this machine</Text>
              <Text size="xs" c="dimmed">
                {modelsOf(server)}
              </Text>
            </div>
            <Button
              size="xs"
              disabled={server.models.length === 0}
              loading={create.isPending && create.variables.body.url === server.url}
              onClick={() => create.mutate({ body: { kind: 'openai_compatible', name: server.name, url: server.url } })}
            >
              Use {server.name}
            </Button>
          </Group>
        </Card>
      ))}
    </Stack>
  )
}
