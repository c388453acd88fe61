import { Alert, Anchor, List, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { useSignedIn } from '../../session/signed-in.js'
import { PageAnchor } from '../../shared/links.js'
import type { PublishCheck } from '../agent.js'
import { fieldAt, fieldPathOf } from '../fields.js'
import { type Section, sections } from '../sections.js'

type Finding = { readonly field: string; readonly detail: string }

interface ProblemListProps {
  readonly check: PublishCheck
  /** Called with the section of the field that a person wants to see. */
  onOpen(section: Section): void
}

const Findings = ({
  findings,
  onOpen,
}: { readonly findings: readonly Finding[] } & Pick<ProblemListProps, 'onOpen'>) => (
  <List size="sm">
    {findings.map(({ field, detail }) => {
      const path = fieldPathOf(field)
      if (path === undefined) return <List.Item key={field}>{detail}</List.Item>
      const { section, label } = fieldAt(path)
      return (
        <List.Item key={field}>
          <Anchor
            component="button"
            type="button"
            ta="start"
            c="inherit"
            underline="always"
            onClick={() => onOpen(section)}
          >
            {sections[section]}: {label}
          </Anchor>{' '}
          {detail}
        </List.Item>
      )
    })}
  </List>
)

/** Advice for warnings that no voice speaks the language of the user. */
const MissingVoice = () => (
  <Text mt={4}>
    If none does,{' '}
    {useSignedIn().is_operator ? (
      <>
        install one in{' '}
        <PageAnchor to="/operator/models" c="inherit" underline="always">
          Models
        </PageAnchor>
        .
      </>
    ) : (
      'the operator of this installation can install one in Models.'
    )}
  </Text>
)

/** Why the saved draft cannot be published, and its probable mistakes. Empty without either. */
export const ProblemList = ({ check: { problems, warnings }, onOpen }: ProblemListProps) => (
  <>
    {problems.length > 0 && (
      <Alert color="red" role="status" icon={<CircleAlert />}>
        <Text fw={550}>The draft cannot be published yet.</Text>
        <Findings findings={problems} onOpen={onOpen} />
      </Alert>
    )}
    {warnings.length > 0 && (
      <Alert color="yellow" role="status" icon={<CircleAlert />}>
        <Findings findings={warnings} onOpen={onOpen} />
        {warnings.some(({ code }) => code === 'language_not_spoken') && <MissingVoice />}
      </Alert>
    )}
  </>
)
