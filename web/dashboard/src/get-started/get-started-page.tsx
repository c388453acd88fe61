import { Badge, Button, Card, Code, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AudioLines, BrainCircuit, Check, Globe, type LucideIcon, MessageCircle, Mic } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Agent } from '../agents/agent.js'
import { useAgentList } from '../agents/agent-queries.js'
import { agentTemplates } from '../agents/templates.js'
import { useCreateAgent } from '../agents/use-create-agent.js'
import { api, fetchApi } from '../api/api.js'
import { FoundServers, useNewServers } from '../model-providers/found-servers.js'
import { useModelServers, useProviders } from '../model-providers/provider-queries.js'
import { InstallProgress, LicenseLink, useInstallOwnModel } from '../models/install-model.js'
import {
  findRecognizer,
  type InstallableModel,
  useInstallableModels,
  useInstalledModels,
} from '../models/model-queries.js'
import { languagesOf, sizeOf } from '../models/model-words.js'
import { useSignedIn } from '../session/signed-in.js'
import { PageAnchor, PageButton } from '../shared/links.js'
import { Loading } from '../shared/loaded.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { findNaturalVoice } from '../speech/natural-voice.js'
import { setStarted } from './started.js'

interface Step {
  readonly title: string
  readonly why: string
  readonly icon: LucideIcon
  readonly isDone: boolean
  readonly action: ReactNode
}

/** A model takes a few seconds to load. */
const askAgainMs = 1_000

/**
 * Whether there are a natural voice and a recognizer of a language, a BCP 47 tag, that a conversation can use. `isLoading` is
 * whether a model is installed that may not have loaded yet.
 */
const useReadiness = ({
  enabled,
  language,
  isLoading,
}: {
  readonly enabled: boolean
  readonly language: string
  readonly isLoading: boolean
}) =>
  useQuery({
    enabled,
    queryKey: ['readiness', language],
    queryFn: async () => {
      const [voice, recognizer] = await Promise.all([findNaturalVoice(fetchApi), findRecognizer(fetchApi, language)])
      return { tts: voice === undefined, stt: recognizer === null }
    },
    refetchInterval: ({ state: { data } }) => (isLoading && !(data?.tts && data.stt) ? askAgainMs : false),
  })

/** Installs the recommended model with one click, which accepts its license, and shows the progress. */
const InstallStep = ({ model }: { readonly model: InstallableModel }) => {
  const install = useInstallOwnModel()
  const { name, display_name, languages, size_bytes, license, license_source, license_lineage } = model
  return (
    <Stack gap="xs">
      <Text>
        {display_name}, {languagesOf(languages)}. {sizeOf(size_bytes)}. License:{' '}
        <LicenseLink license={license} source={license_source} />
        {license_lineage !== null && `, made from: ${license_lineage}`}
      </Text>
      {install.isPending && <InstallProgress installation={install} model={model} />}
      <ProblemAlert error={install.error} />
      <Group gap="sm">
        <Button size="xs" loading={install.isPending} onClick={() => install.mutate(name)}>
          Accept the license and install
        </Button>
        <PageAnchor to="/operator/models" size="xs">
          Choose another
        </PageAnchor>
      </Group>
    </Stack>
  )
}

/** The steps for the models of this machine; none for people who do not operate it, and where models are not managed here. */
const useModelSteps = (): { readonly steps: readonly Step[]; readonly isPending: boolean } => {
  const { is_operator } = useSignedIn()
  const installed = useInstalledModels({ enabled: is_operator })
  const catalog = useInstallableModels({ enabled: is_operator })
  const installedOf = (wanted: 'tts' | 'stt') =>
    installed.data?.models.find(({ kind, problems }) => kind === wanted && problems.length === 0)
  const isReady = useReadiness({
    enabled: is_operator,
    language: installedOf('stt')?.languages[0] ?? navigator.language,
    isLoading: installedOf('tts') !== undefined || installedOf('stt') !== undefined,
  })
  if (!is_operator || installed.data?.is_managed === false) return { steps: [], isPending: false }
  const actionFor = (wanted: 'tts' | 'stt') => {
    if (installedOf(wanted) !== undefined) {
      return (
        <Text role="status">
          It is installed, and loads now. If that takes minutes, <Code>npx parlance models verify</Code> shows why.
        </Text>
      )
    }
    const name = catalog.data?.recommended[wanted]
    const model = catalog.data?.models.find((one) => one.name === name)
    if (model !== undefined) return <InstallStep model={model} />
    return (
      <>
        <ProblemAlert error={catalog.error ?? installed.error} />
        <PageButton to="/operator/models" size="xs" w="fit-content">
          Choose a model
        </PageButton>
      </>
    )
  }
  return {
    isPending: installed.isPending || catalog.isPending || isReady.isPending,
    steps: [
      {
        title: 'A natural voice',
        why: 'The voices that come with this machine sound like robots.',
        icon: AudioLines,
        isDone: isReady.data?.tts === true,
        action: actionFor('tts'),
      },
      {
        title: 'A recognizer',
        why: 'It turns what people say into text, on this machine.',
        icon: Mic,
        isDone: isReady.data?.stt === true,
        action: actionFor('stt'),
      },
    ],
  }
}

const LanguageModelStep = () => {
  const hasFound = useNewServers().length > 0
  return (
    <Stack gap="sm">
      <FoundServers />
      <Text>
        {hasFound
          ? 'Or '
          : 'No model server was found on this machine. Start Ollama, LM Studio, llama.cpp or vLLM here, or '}
        <PageAnchor to="/model-providers" inherit underline="always">
          add a provider with a key
        </PageAnchor>
        .
      </Text>
    </Stack>
  )
}

const TalkStep = ({ agent }: { readonly agent: Agent | undefined }) => {
  const create = useCreateAgent()
  if (agent !== undefined) {
    return (
      <PageButton to="/agents/$agentId" params={{ agentId: agent.id }} size="xs" w="fit-content">
        Talk with {agent.display_name}
      </PageButton>
    )
  }
  return (
    <Stack gap="sm" align="flex-start">
      <ProblemAlert error={create.error} />
      <Group gap="sm">
        <Button size="xs" loading={create.isPending} onClick={() => create.mutate(agentTemplates[0]!)}>
          Make a guide and talk with it
        </Button>
        <PageAnchor to="/agents/new" size="xs">
          Choose another template
        </PageAnchor>
      </Group>
    </Stack>
  )
}

const useSteps = () => {
  const models = useModelSteps()
  const providers = useProviders()
  const servers = useModelServers()
  const agents = useAgentList({})
  const conversations = api.useQuery('get', '/dashboard/api/agent-sessions', { params: { query: { limit: 1 } } })
  const agent = agents.data?.[0]
  const published = agents.data?.some(({ active_publication }) => active_publication !== null) === true
  const steps: readonly Step[] = [
    ...models.steps,
    {
      title: 'A language model',
      why: 'With it an Agent follows its prompt. Without one, built-in rules answer as a demonstration.',
      icon: BrainCircuit,
      isDone: (providers.data?.length ?? 0) + (servers.data?.configured.length ?? 0) > 0,
      action: <LanguageModelStep />,
    },
    {
      title: 'Talk',
      why: 'By voice or by typing, in this browser.',
      icon: MessageCircle,
      isDone: (conversations.data?.sessions.length ?? 0) > 0,
      action: <TalkStep agent={agent} />,
    },
    {
      title: 'Put it on your site',
      why: 'Publish the Agent. Then an API key starts conversations from your own pages and programs.',
      icon: Globe,
      isDone: published,
      action:
        agent === undefined ? (
          <Text>First make an Agent, in the step before.</Text>
        ) : (
          <PageButton to="/agents/$agentId" params={{ agentId: agent.id }} size="xs" w="fit-content">
            Publish {agent.display_name}
          </PageButton>
        ),
    },
  ]
  const queries = [providers, servers, agents, conversations]
  return { steps, isPending: models.isPending || queries.some(({ isPending }) => isPending) }
}

const StepCard = ({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) => {
  const { title, why, icon: Icon, isDone, action } = step
  return (
    <Card component="li" withBorder padding="md" aria-label={title}>
      <Group gap="md" wrap="nowrap" align="flex-start">
        <ThemeIcon variant={isNext ? 'filled' : 'light'} color={isDone ? 'teal' : 'indigo'} size="lg" radius="xl">
          {isDone ? <Check size={18} /> : <Icon size={18} />}
        </ThemeIcon>
        <Stack gap={isDone ? 2 : 'xs'} flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Text size="md" fw={600}>
              {title}
            </Text>
            {isDone && <Badge color="teal">Done</Badge>}
          </Group>
          {!isDone && <Text c="dimmed">{why}</Text>}
          {!isDone && action}
        </Stack>
      </Group>
    </Card>
  )
}

/** The steps to a first conversation, as a list that disappears when all are done or the person closes it. */
export const GetStartedPage = () => {
  const { steps, isPending } = useSteps()
  const navigate = useNavigate()
  const open = steps.filter(({ isDone }) => !isDone)
  const isAllDone = !isPending && open.length === 0
  const finish = () => {
    setStarted()
    void navigate({ to: '/agents' })
  }
  return (
    <Page
      title="Get started"
      description={isAllDone ? 'Everything is ready. This list does not come back.' : 'Each step takes one click.'}
      actions={
        !isPending && (
          <Button variant={isAllDone ? 'filled' : 'default'} onClick={finish}>
            {isAllDone ? 'Go to the Agents' : 'Close the list'}
          </Button>
        )
      }
    >
      {isPending ? (
        <Loading />
      ) : (
        <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {steps.map((step) => (
            <StepCard key={step.title} step={step} isNext={step === open[0]} />
          ))}
        </Stack>
      )}
    </Page>
  )
}
