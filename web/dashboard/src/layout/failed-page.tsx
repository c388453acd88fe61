import { Container, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { Brand } from './brand.js'

/** In words of Chromium and Firefox, or of Safari. A document never asks again for a module that failed to load. */
const isOfModule = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed/.test(error.message)

/** In place of a page that failed. What surrounds it stays. */
export const FailedPage = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  return (
    <Page title="This page failed">
      <ProblemAlert error={error} retry={() => (isOfModule(error) ? location.reload() : void router.invalidate())} />
    </Page>
  )
}

/** In place of everything: who is signed in could not be read. */
export const FailedSignedInLayout = (props: ErrorComponentProps) => (
  <Container component="main" py="md">
    <Group mb="xl">
      <Brand />
    </Group>
    <FailedPage {...props} />
  </Container>
)
