import { Page } from '../shared/page.js'
import { CreditOverview } from '../usage/credit-overview.js'

/** The first page after the sign-in: how the workspace is doing. */
export const OverviewPage = () => (
  <Page title="Overview">
    <CreditOverview />
  </Page>
)
