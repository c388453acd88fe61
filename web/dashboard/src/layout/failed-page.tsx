import { Container, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { Brand } from './brand.js'

/** The messages of Chromium and Firefox, and of Safari. A document never retries a module that failed to load. */
const isOfModule = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed/.test(error.message)

/** Shown in place of a failed page. Its surroundings remain. */
export const FailedPage = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <Page title="This page failed">
      <ProblemAlert error={error} retry={() => (isOfModule(error) ? location.reload() : void router.invalidate())} />
    </Page>
  )
}

/** Shown in place of everything when the signed-in person could not be read. */
export const FailedSignedInLayout = (props: ErrorComponentProps) => (
  <Container component="main" py="md">
    <Group mb="xl">
      <Brand />
    </Group>
    <FailedPage {...props} />
  </Container>
)
