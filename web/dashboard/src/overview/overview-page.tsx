import { Page } from '../shared/page.js'
import { CreditOverview } from '../usage/credit-overview.js'
import { GetStarted } from './get-started.js'

/** The first page after the sign-in: how the workspace is doing. */
export const OverviewPage = () => (
  <Page title="Overview">
    <GetStarted />
    <CreditOverview />
  </Page>
)
