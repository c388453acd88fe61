import { Group, Loader, SimpleGrid, Stack, Text, ThemeIcon, UnstyledButton } from '@mantine/core'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import classes from './new-agent-page.module.css'
import { agentTemplates } from './templates.js'
import { useCreateAgent } from './use-create-agent.js'

/** The templates. A click creates an Agent from one. */
export const TemplateGrid = () => {
  const create = useCreateAgent()
  return (
    <Stack>
      <ProblemAlert error={create.error} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        {agentTemplates.map((template) => {
          const { title, summary, icon: Icon } = template
          const isPending = create.isPending && create.variables === template
          return (
            <UnstyledButton
              key={title}
              className={classes.template}
              disabled={create.isPending}
              onClick={() => create.mutate(template)}
            >
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <ThemeIcon variant="light" size="lg">
                  {isPending ? <Loader size="xs" aria-label="Creating" /> : <Icon size={18} />}
                </ThemeIcon>
                <div>
                  <Text size="md" fw={600}>
                    {title}
                  </Text>
                  <Text c="dimmed">{summary}</Text>
                </div>
              </Group>
            </UnstyledButton>
          )
        })}
      </SimpleGrid>
    </Stack>
  )
}

export const NewAgentPage = () => (
  <Page
    title="New Agent"
    description="Begin with a template. Everything can be changed afterwards, and users meet the Agent only once it is published."
  >
    <TemplateGrid />
  </Page>
)
