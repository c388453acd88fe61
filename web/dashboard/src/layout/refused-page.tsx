import { Lock } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Page } from '../shared/page.js'

/** In place of a page that the role of the person does not permit. */
export const RefusedPage = () => (
  <Page title="Not for your role">
    <Empty icon={Lock} title="This page is for Owners and Admins">
      You are a Member of this workspace. Ask an Owner or an Admin to do this for you, or to change your role.
    </Empty>
  </Page>
)
