import './mantine-later.css'
