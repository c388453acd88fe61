import { Container, Group, Text } from '@mantine/core'
import { PageAnchor } from '../shared/links.js'
import { Page } from '../shared/page.js'
import { Brand } from './brand.js'

/** For an address that no page has. */
export const MissingPage = () => (
  <Container component="main" py="md">
    <Group mb="xl">
      <Brand />
    </Group>
    <Page title="There is no such page">
      <Text>
        Check the address, or go to <PageAnchor to="/">the start page</PageAnchor>.
      </Text>
    </Page>
  </Container>
)
