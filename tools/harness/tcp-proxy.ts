// A TCP proxy that a test cuts and heals: what is behind it is then unreachable for the processes in front.
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

/** `listen` makes a listener for each connection, which is told every byte that goes to the target. */
export async function startTcpProxy(targetPort: number, listen?: () => (chunk: Buffer) => void): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    keep(near);
    if (isCut) return void near.destroy();
    const far = connect(targetPort, '127.0.0.1');
    keep(far);
    if (listen !== undefined) near.on('data', listen());
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: address.port,
    cut: () => {
      isCut = true;
      drop();
    },
    heal: () => {
      isCut = false;
    },
    close: () => {
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
