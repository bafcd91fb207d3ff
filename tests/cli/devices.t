The table of accelerators, by name, vendor or pattern:

    $ reckon devices amd
    Accelerators, as of 2026-11:

    device       year  memory  usable  bandwidth   fp32   tf32     bf16      fp8     fp4   link  power
    mi100        2020      32   ~34.4    1,228.8   23.1            92.3                     138
    mi210        2022      64   ~68.7      1,638   22.6             181                     150    300
    mi250        2021     128  ~137.4      3,276   45.3           362.1                     350
    mi250x       2021     128   137.4      3,276   47.9             383                     350    560
    mi250x-gcd   2021      64    68.7      1,638  23.95           191.5
    mi300x       2023     192   206.1      5,300  163.4  653.7  1,307.4  2,614.9            448    750
    mi325x       2024     256   274.9      6,000  163.4  653.7  1,307.4  2,614.9            448  1,000
    mi350x       2025     288   309.2      8,000                  2,310    4,614   9,228  537.6  1,000
    mi355x       2025     288   309.2      8,000  157.3         2,516.6    5,033  10,066  537.6  1,400
    rx-7900-xt   2022      20    21.5        800   51.6            103*                            315
    rx-7900-xtx  2022      24    25.8        960  61.44         122.88*                            355
    w7900        2023      48    48.3        864                 122.6*                            295
    rx-9070-xt   2025      16    17.1        640  48.66          97.32*                            304
    r9700        2025      32    34.2
    (no room here for: name, vendor, int8, PCIe)

    Memory in GB (10^9 bytes): what the box says, and what programs see of it, with ~ where no source
    has seen it and its size is taken in GiB; bandwidth, link and PCIe in GB/s, links in each direction;
    rates are dense peaks in TFLOP/s, those with * of fp16, where no bf16 is known; power in W. 'reckon
    devices NAME' has sources and notes.
    $ reckon devices | wc -l
    139
    $ reckon devices 'h2*' --format csv
    device,name,vendor,year,memory_gb,usable_gb,usable_measured,reserve_gb,bandwidth_gb_s,fp32_tflop_s,tf32_tflop_s,bf16_tflop_s,fp16_tflop_s,fp8_tflop_s,int8_tflop_s,fp4_tflop_s,link_gb_s,pcie_gb_s,power_w
    h200,H200 SXM 141GB,NVIDIA,2024,141,150.10988032,true,0.811532288,4800,67,494.5,989.4,989.4,1979,1979,,450,64,700
    h200-nvl,H200 NVL 141GB,NVIDIA,2024,141,150.10889728,true,0.811532288,4800,60,420,840,840,,1680,,450,64,600
    h20,H20 96GB,NVIDIA,2023,96,102.01071616,true,0.811532288,4000,44,74,148,148,296,296,,450,64,

One in full, under any of its names:

    $ reckon devices "H100 SXM5 80GB"
    h100-80gb: H100 SXM5 80GB (NVIDIA, 2022)
    Also called: h100, h100-sxm, h100-sxm5, h100-sxm-80gb

    memory                                   80  GB, as its box says
    that programs see                        85  GB
    that a context takes                  811.5  MB
    bandwidth of the memory               3,350  GB/s
    fp32                                     67  TFLOP/s, dense
    tf32                                  494.5  TFLOP/s, dense
    bf16                                  989.4  TFLOP/s, dense
    fp16                                  989.4  TFLOP/s, dense
    fp8                                   1,979  TFLOP/s, dense
    int8                                  1,979  TFLOP/s, dense
    fp4                               not known
    NVLink 4                                450  GB/s in each direction
    PCIe                                     64  GB/s in each direction
    power                                   700  W
    multiprocessors or compute units        132

    Programs see 85,027,979,264 bytes (81089 MiB): total_memory of PyTorch, in MiB, as it prints a
    device's properties, in public files (to 2026-11).
    A context takes 811,532,288 bytes of that, 552,402,944 of them before the first tensor, the others
    for the kernels of a training step and of generation, and fewer on cards with fewer multiprocessors:
    an H200 with driver 580.159 and PyTorch 2.11 for CUDA 13.0: measured, 2026-11.
    'reckon fit' fills the 84,216,446,976 bytes that are left (--memory, --reserve).
    Note: Memory of 3,072 to 3,430 GB/s and bf16 of 1,000 are in circulation; 51.7 for fp32 is the PCIe
    card.
    Sources, as of 2026-11: stas00/ml-engineering, accelerators and network (2026-08);
    ai-dynamo/aiconfigurator, systems (2026-08); iopsystems/llm-calc, accelerators and interconnects
    (2026-07); Lightning-AI/pytorch-lightning, throughput (2026-07); mosaicml/composer, speed monitor;
    cli99/llm-analysis, GPU configs (2024-11); pytorch/torchtitan, peak FLOPs.
    $ reckon devices h100 | head -n 1
    h100-80gb: H100 SXM5 80GB (NVIDIA, 2022)
    $ reckon devices a100 --format json | sed 's/, \("[a-z_]*":\)/,\n\1/g' | sed -n '4,20p'
      "devices": [
        {"device": "a100-80gb",
    "name": "A100 SXM4 80GB",
    "vendor": "NVIDIA",
    "year": 2020,
    "memory": 80000000000,
    "usable": 84974501888,
    "usable_measured": true,
    "usable_sources": "total_memory of PyTorch, in MiB, as Ultralytics YOLO prints it, in public logs (to 2026-11)",
    "reserve": 811532288,
    "reserve_sources": "an H200 with driver 580.159 and PyTorch 2.11 for CUDA 13.0: measured, 2026-11",
    "bandwidth": 2039000000000,
    "rates": {"fp32": 19500000000000, "tf32": 156000000000000, "bf16": 312000000000000, "fp16": 312000000000000, "fp8": null, "int8": 624000000000000, "fp4": null},
    "link": 300000000000,
    "link_name": "NVLink 3",
    "pcie": 32000000000,
    "power": 400,

What programs see of the memory is what a source has seen, in its words, or else the nominal size; what a system keeps
for itself is not in it:

    $ reckon devices gb200 | sed -n '/^Programs/,/^.reckon/p'
    Programs see about 197,901,355,581 bytes (184.31 GiB): PyTorch's out-of-memory messages, in GiB with
    two digits, in public issues and notes (to 2026-11).
    A context takes 811,532,288 bytes of that, 552,402,944 of them before the first tensor, the others
    for the kernels of a training step and of generation, and fewer on cards with fewer multiprocessors:
    an H200 with driver 580.159 and PyTorch 2.11 for CUDA 13.0: measured, 2026-11.
    'reckon fit' fills the 197,089,823,293 bytes that are left (--memory, --reserve).
    $ reckon devices v100-pcie-16gb | grep -A 1 'that programs see\|^What programs'
    that programs see                      17.2  GB, nominal
    that a context takes                  811.5  MB
    --
    What programs see is taken as 17,179,869,184 bytes (17.2 GB), the nominal size: no source has seen
    it.
    $ reckon devices gaudi-3 | grep '^No source'
    No source says what a context takes of that: nothing is taken off.
    $ reckon devices tpu-v5e | sed -n '/^Programs/,/^.reckon/p'
    Programs see about 16,911,433,728 bytes (15.75 GiB): XLA's out-of-memory messages, in GiB with two
    digits, in public issues and notes (to 2026-10).
    A context takes nothing of that, for what XLA keeps for itself (260 MiB of a v6e) is off already:
    XLA's out-of-memory messages, in GiB with two digits, in public issues and notes (to 2026-10).
    'reckon fit' fills the 16,911,433,728 bytes that are left (--memory, --reserve).
    $ reckon devices h800 --format json | grep -o '"\(device\|memory\|usable\|usable_measured\|reserve\)": [^,]*'
    "device": "h800"
    "memory": 80000000000
    "usable": 84874887168
    "usable_measured": true
    "reserve": 811532288

A chip that is sold with several sizes of memory is as many devices, and its own name is that of the largest:

    $ reckon devices 'm4-*' --format csv | cut -d , -f 1,5-8
    device,memory_gb,usable_gb,usable_measured,reserve_gb
    m4-16gb,16,12.713115648,true,0.000393216
    m4-24gb,24,19.06967,true,0.000393216
    m4-pro-24gb,24,19.06967,true,0.000393216
    m4-pro-48gb,48,40.2009,true,0.000393216
    m4-pro,64,55.66279,true,0.000393216
    m4-max-36gb,36,30.15067,true,0.000393216
    m4-max-48gb,48,40.2009,true,0.000393216
    m4-max-64gb,64,55.66279,true,0.000393216
    m4-max,128,115.44873,true,0.000393216
    $ reckon devices m4-pro-64gb | head -n 2
    m4-pro: Apple M4 Pro (Apple, 2024)
    Also called: apple-m4-pro, m4-pro-64gb, apple-m4-pro-64gb
    $ reckon devices m4-pro-48gb | sed -n '1,/^bandwidth/p; /^Programs/,/^.reckon/p'
    m4-pro-48gb: Apple M4 Pro 48GB (Apple, 2024)
    Also called: apple-m4-pro-48gb

    memory                                   48  GB, as its box says
    that programs see                      40.2  GB
    that a context takes                    0.4  MB
    bandwidth of the memory                 273  GB/s
    Programs see about 40,200,900,000 bytes (40200.90 MB): what Metal recommends at most
    (recommendedMaxWorkingSetSize), in MB, as llama.cpp prints it, in public logs (to 2026-11).
    A context takes 393,216 bytes of that, beside what macOS keeps for itself, which is off already
    (iogpu.wired_limit_mb changes it, and older versions of macOS allow two thirds of the memory up to
    32 GB and three quarters above): ggml's free and total bytes of Metal on an M4, in a public note
    (2026).
    'reckon fit' fills the 40,200,506,784 bytes that are left (--memory, --reserve).

On narrow paper columns are left out, and it says which:

    $ COLUMNS=60 reckon devices mi3
    Accelerators, as of 2026-11:

    device  name    memory  usable  bandwidth   fp32     bf16
    mi300x  MI300X     192   206.1      5,300  163.4  1,307.4
    mi325x  MI325X     256   274.9      6,000  163.4  1,307.4
    mi350x  MI350X     288   309.2      8,000           2,310
    mi355x  MI355X     288   309.2      8,000  157.3  2,516.6
    (no room here for: vendor, year, tf32, fp8, int8, fp4, link,
     PCIe, power)

    Memory in GB (10^9 bytes): what the box says, and what
    programs see of it, with ~ where no source has seen it and
    its size is taken in GiB; bandwidth, link and PCIe in GB/s,
    links in each direction; rates are dense peaks in TFLOP/s,
    those with * of fp16, where no bf16 is known; power in W.
    'reckon devices NAME' has sources and notes.

What is not there:

    $ reckon devices hh100
    reckon: no device is called 'hh100'; did you mean 'h100-80gb'? ('reckon devices' lists them)
    [1]
    $ reckon devices nothing-like-it
    reckon: no device is called 'nothing-like-it' ('reckon devices' lists them)
    [1]
    $ reckon devices h100 a100
    reckon: 'a100' is too much
    reckon: 'reckon help devices' says how it is used
    [2]
    $ reckon devices B=1
    reckon: there is nothing to set here: B=…
    reckon: 'reckon help devices' says how it is used
    [2]
    $ RECKON_MODELS=/nowhere reckon devices
    reckon: RECKON_MODELS: /nowhere: cannot read: No such file or directory
    [4]

A table of one's own:

    $ mkdir -p own/data; printf 'source\tS\tmy desk\ndevice\tmine\t-\tMine\tMe\t2026\t1000000000\t-\t-\t10\t-\t-\t1\t1\t-\t-\t-\t-\t-\t-\t-\t-\tS\t-\n' > own/data/devices.tsv
    $ RECKON_MODELS=own reckon devices mine | head -n 5
    mine: Mine (Me, 2026)

    memory                                    1  GB, as its box says
    that programs see                       1.1  GB, nominal
    bandwidth of the memory                  10  GB/s
    $ printf 'device\tmine\n' > own/data/devices.tsv
    $ RECKON_MODELS=own reckon devices mine
    reckon: own/data/devices.tsv:1: a line has too many or too few cells: 'device'
    [1]
