import { Center, Container, Paper, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { Brand } from './brand.js'
import { mainId } from './skip-link.js'

/** The frame of the pages for people who are not signed in. */
export const EntryLayout = () => (
  <Container size={440} py={{ base: 'xl', sm: 80 }} component="main" id={mainId}>
    <Stack gap="lg">
      <Center>
        <Brand />
      </Center>
      <Paper withBorder p="xl">
        <Outlet />
      </Paper>
    </Stack>
  </Container>
)
