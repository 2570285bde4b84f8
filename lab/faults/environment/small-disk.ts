// A separate disk that can be filled up: a small tmpfs. Mounting it needs root.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte. */
  fill(): void;
  free(): void;
  freeBytes(): number;
  unmount(): void;
}

const CHUNK_BYTES = 1024 * 1024;

/** Throws where this process may not mount. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'gateway-faults', folder]);
  const ballast = join(folder, 'ballast');
  mkdirSync(ballast, { recursive: true });
  let files = 0;
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    fill: () => {
      // Smaller and smaller pieces, until not even one page fits.
      for (let bytes = CHUNK_BYTES; bytes >= 4_096;) {
        try {
          writeFileSync(join(ballast, String(files++)), Buffer.alloc(bytes, 1));
        } catch {
          bytes = Math.floor(bytes / 2);
        }
      }
    },
    free: () => {
      rmSync(ballast, { recursive: true, force: true });
      mkdirSync(ballast, { recursive: true });
    },
    unmount: () => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
