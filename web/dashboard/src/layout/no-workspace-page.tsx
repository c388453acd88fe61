import { Container, Group } from '@mantine/core'
import { Building2 } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Page } from '../shared/page.js'
import { AccountMenu } from './account-menu.js'
import { Brand } from './brand.js'

/** For a person who is not a member of any workspace. */
export const NoWorkspacePage = () => (
  <Container component="main" py="md">
    <Group justify="space-between" mb="xl">
      <Brand />
      <AccountMenu />
    </Group>
    <Page title="No workspace">
      <Empty icon={Building2} title="You are not a member of any workspace">
        Ask an Owner or an Admin of a workspace to invite you, and open the link in the invitation. The operator of this
        installation can create a workspace: npx parlance workspace create.
      </Empty>
    </Page>
  </Container>
)
