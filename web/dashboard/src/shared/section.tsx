import { Paper, Stack, Text, Title, type TitleOrder } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  /** The fragment of the URL that leads to the section. */
  readonly id?: string
  readonly title: string
  /** The level of the title. */
  readonly order?: TitleOrder
  /** One sentence below the title. */
  readonly description?: string
  readonly isFramed?: boolean
  readonly children: ReactNode
}

/** A part of a page, with a title. */
export const Section = ({ id, title, order = 2, description, isFramed = false, children }: SectionProps) => {
  const titleId = useId()
  return (
    <Paper component="section" id={id} aria-labelledby={titleId} withBorder={isFramed} p={isFramed ? 'lg' : 0}>
      <Stack gap={isFramed ? 'md' : 'xs'}>
        <div>
          <Title order={order} id={titleId}>
            {title}
          </Title>
          {description !== undefined && <Text c="dimmed">{description}</Text>}
        </div>
        {children}
      </Stack>
    </Paper>
  )
}
