import { Page } from '../shared/page.js'
import { TemplateGrid } from './template-grid.js'

export const NewAgentPage = () => (
  <Page
    title="New Agent"
    description="Begin with a template. Everything can be changed afterwards, and users meet the Agent only once it is published."
  >
    <TemplateGrid />
  </Page>
)
