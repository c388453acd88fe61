import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleUser, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { account } from '../api/account.js'
import { useSignedIn } from '../session/signed-in.js'

const schemes = [
  { scheme: 'auto', label: 'Same as system', icon: Monitor },
  { scheme: 'light', label: 'Light', icon: Sun },
  { scheme: 'dark', label: 'Dark', icon: Moon },
] as const

/** The person, the color scheme, and the button to sign out. */
export const AccountMenu = () => {
  const { person } = useSignedIn()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  // A sign-in that has already ended looks the same to the person.
  const signOut = useMutation({ mutationFn: account.signOut, onSettled: () => location.assign('/sign-in') })
  return (
    <Menu width={240}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label="Your account">
          <CircleUser size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} truncate>
            {person.name}
          </Text>
          <Text size="xs" truncate>
            {person.email}
          </Text>
        </Menu.Label>
        <Menu.Item leftSection={<Settings />} onClick={() => navigate({ to: '/account' })}>
          Account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colors</Menu.Label>
        {schemes.map(({ scheme, label, icon: Icon }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            fw={scheme === colorScheme ? 650 : undefined}
            leftSection={<Icon />}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut />} onClick={() => signOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
