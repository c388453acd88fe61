import { Container, Group, Text } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Building2, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from '../shared/empty.js'
import { PageAnchor } from '../shared/links.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { AccountMenu } from './account-menu.js'
import { Brand } from './brand.js'

/** The frame of a notice in place of everything, also of the navigation. */
const Frame = ({ menu, children }: { readonly menu?: ReactNode; readonly children: ReactNode }) => (
  <Container component="main" py="md">
    <Group justify="space-between" mb="xl">
      <Brand />
      {menu}
    </Group>
    {children}
  </Container>
)

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
  <Frame>
    <FailedPage {...props} />
  </Frame>
)

/** For an address that no page has. */
export const MissingPage = () => (
  <Frame>
    <Page title="There is no such page">
      <Text>
        Check the address, or go to <PageAnchor to="/">the start page</PageAnchor>.
      </Text>
    </Page>
  </Frame>
)

/** For a person who is not a member of any workspace. */
export const NoWorkspacePage = () => (
  <Frame menu={<AccountMenu />}>
    <Page title="No workspace">
      <Empty icon={Building2} title="You are not a member of any workspace">
        Ask an Owner or an Admin of a workspace to invite you, and open the link in the invitation. The operator of this
        installation can create a workspace: npx parlance workspace create.
      </Empty>
    </Page>
  </Frame>
)

/** In place of a page that the role of the person does not permit. */
export const RefusedPage = ({ isForOperators = false }: { readonly isForOperators?: boolean }) => (
  <Page title="Not for your role">
    {isForOperators ? (
      <Empty icon={Lock} title="This page is for operators">
        Those who run this installation can make you an operator: npx parlance user operator.
      </Empty>
    ) : (
      <Empty icon={Lock} title="This page is for Owners and Admins">
        You are a Member of this workspace. Ask an Owner or an Admin to do this for you, or to change your role.
      </Empty>
    )}
  </Page>
)
