import { Lock } from 'lucide-react'
import { Empty } from '../shared/empty.js'
import { Page } from '../shared/page.js'

export interface RefusedPageProps {
  /** Default: the page is for Owners and Admins. */
  readonly isForOperators?: boolean
}

/** In place of a page that the role of the person does not permit. */
export const RefusedPage = ({ isForOperators = false }: RefusedPageProps) => (
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
