import { Center, Loader } from '@mantine/core'

/** Shown while something loads. */
export const Loading = () => (
  <Center mih={160} role="status">
    <Loader size="sm" aria-label="Loading" />
  </Center>
)
