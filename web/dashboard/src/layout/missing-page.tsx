import { Container, Text } from '@mantine/core'
import { PageAnchor } from '../shared/links.js'
import { Page } from '../shared/page.js'

/** For an address that no page has. */
export const MissingPage = () => (
  <Container component="main" py="xl">
    <Page title="There is no such page">
      <Text>
        Check the address, or go to <PageAnchor to="/">the first page</PageAnchor>.
      </Text>
    </Page>
  </Container>
)
