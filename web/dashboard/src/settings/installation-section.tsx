import { Badge, Group, Text } from '@mantine/core'
import { Check, X } from 'lucide-react'
import { type Column, DataTable } from '../shared/data-table.js'
import { formatCount } from '../shared/quantities.js'
import { FactList } from './fact-list.js'
import type { Settings } from './settings-queries.js'
import { SettingsSection } from './settings-section.js'

type Installation = Settings['installation']
type Engine = Installation['engines'][number]

const methods: Readonly<Record<Engine['synthesis'], string>> = {
  neural: 'Neural',
  recorded: 'From recordings',
  formant: 'By rules',
}

const columns: readonly Column<Engine>[] = [
  { header: 'Engine', cell: ({ name }) => name },
  { header: 'Speech', cell: ({ synthesis }) => methods[synthesis], wideOnly: true },
  { header: 'Voices', cell: ({ voices }) => `${formatCount(voices)} ${voices === 1 ? 'voice' : 'voices'}` },
  { header: 'Workers', cell: ({ workers }) => formatCount(workers), wideOnly: true },
]

const ServiceBadge = ({ name, up }: Installation['services'][number]) => (
  <Badge component="li" color={up ? 'teal' : 'red'} leftSection={up ? <Check size={12} /> : <X size={12} />}>
    {up ? name : `${name} does not answer`}
  </Badge>
)

/** The installation, which is the same for all workspaces. */
export const InstallationSection = ({ installation }: { readonly installation: Installation }) => {
  const { version, key_environment, services, engines, recognizers } = installation
  return (
    <SettingsSection title="Environment" description="What runs at this address, for all workspaces.">
      <FactList
        facts={[
          ['Version', version],
          ['Environment', key_environment === 'prd' ? 'Production' : 'Development'],
          ['Recognizers', recognizers.length === 0 ? 'None' : recognizers.map(({ name }) => name).join(', ')],
        ]}
      />
      <Group component="ul" aria-label="Services" gap="xs" m={0} p={0}>
        {services.map((service) => (
          <ServiceBadge key={service.name} {...service} />
        ))}
      </Group>
      {engines.length === 0 ? (
        <Text size="sm">No speech engine offers voices now.</Text>
      ) : (
        <DataTable label="Speech engines" rows={engines} rowKey={({ name }) => name} columns={columns} />
      )}
    </SettingsSection>
  )
}
