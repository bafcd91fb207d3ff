The table of accelerators, by name, vendor or pattern:

    $ reckon devices amd
    Accelerators, as of 2026-11:

    device  name                     memory  bandwidth   fp32     bf16      fp8     fp4   link  power
    mi100   MI100                        32    1,228.8   23.1     92.3                     138
    mi210   MI210                        64      1,638   22.6      181                     150    300
    mi250   MI250 (OAM, both GCDs)      128      3,276   45.3    362.1                     350
    mi250x  MI250X (OAM, both GCDs)     128      3,276   47.9      383                     350    560
    mi300x  MI300X                      192      5,300  163.4  1,307.4  2,614.9            448    750
    mi325x  MI325X                      256      6,000  163.4  1,307.4  2,614.9            448  1,000
    mi350x  MI350X                      288      8,000           2,310    4,614   9,228  537.6  1,000
    mi355x  MI355X                      288      8,000  157.3  2,516.6    5,033  10,066  537.6  1,400
    (no room here for: vendor, year, tf32, int8, PCIe)

    Memory in GB (10^9 bytes); bandwidth, link and PCIe in GB/s, links in each direction; rates are
    dense peaks in TFLOP/s, those with * of fp16, where no bf16 is known; power in W. 'reckon devices
    NAME' has sources and notes.
    $ reckon devices | wc -l
    83
    $ reckon devices 'h2*' --format csv
    device,name,vendor,year,memory_gb,bandwidth_gb_s,fp32_tflop_s,tf32_tflop_s,bf16_tflop_s,fp16_tflop_s,fp8_tflop_s,int8_tflop_s,fp4_tflop_s,link_gb_s,pcie_gb_s,power_w
    h200,H200 SXM 141GB,NVIDIA,2024,141,4800,67,494.5,989.4,989.4,1979,1979,,450,64,700
    h200-nvl,H200 NVL 141GB,NVIDIA,2024,141,4800,60,420,840,840,,1680,,450,64,600
    h20,H20 96GB,NVIDIA,2023,96,4000,44,74,148,148,296,296,,450,64,

One in full, under any of its names:

    $ reckon devices "H100 SXM5 80GB"
    h100-80gb: H100 SXM5 80GB (NVIDIA, 2022)
    Also called: h100, h100-sxm, h100-sxm5, h100-sxm-80gb

    memory                                   80  GB
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

    Its memory is taken as 80,000,000,000 bytes, a GB being 10^9 of them where the note does not say
    GiB.
    Note: Memory of 3,072 to 3,430 GB/s and bf16 of 1,000 are in circulation; 51.7 for fp32 is the PCIe
    card.
    Sources, as of 2026-11: stas00/ml-engineering, accelerators and network (2026-08);
    ai-dynamo/aiconfigurator, systems (2026-08); iopsystems/llm-calc, accelerators and interconnects
    (2026-07); Lightning-AI/pytorch-lightning, throughput (2026-07); mosaicml/composer, speed monitor;
    cli99/llm-analysis, GPU configs (2024-11); pytorch/torchtitan, peak FLOPs.
    $ reckon devices h100 | head -n 1
    h100-80gb: H100 SXM5 80GB (NVIDIA, 2022)
    $ reckon devices a100 --format json | head -n 12
    {
      "date": "2026-11",
      "devices": [
        {
          "device": "a100-80gb",
          "name": "A100 SXM4 80GB",
          "vendor": "NVIDIA",
          "year": 2020,
          "memory": 80000000000,
          "bandwidth": 2039000000000,
          "rates": {"fp32": 19500000000000, "tf32": 156000000000000, "bf16": 312000000000000, "fp16": 312000000000000, "fp8": null, "int8": 624000000000000, "fp4": null},
          "link": 300000000000,

On narrow paper columns are left out, and it says which:

    $ COLUMNS=60 reckon devices mi3
    Accelerators, as of 2026-11:

    device  memory  bandwidth   fp32     bf16      fp8   link
    mi300x     192      5,300  163.4  1,307.4  2,614.9    448
    mi325x     256      6,000  163.4  1,307.4  2,614.9    448
    mi350x     288      8,000           2,310    4,614  537.6
    mi355x     288      8,000  157.3  2,516.6    5,033  537.6
    (no room here for: name, vendor, year, tf32, int8, fp4,
     PCIe, power)

    Memory in GB (10^9 bytes); bandwidth, link and PCIe in GB/s,
    links in each direction; rates are dense peaks in TFLOP/s,
    those with * of fp16, where no bf16 is known; power in W.
    'reckon devices NAME' has sources and notes.

What is not there:

    $ reckon devices h1000
    reckon: no device is called 'h1000'; did you mean 'h100'? ('reckon devices' lists them)
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

    $ mkdir -p own/data; printf 'source\tS\tmy desk\ndevice\tmine\t-\tMine\tMe\t2026\t1000000000\t10\t-\t-\t1\t1\t-\t-\t-\t-\t-\t-\t-\t-\tS\t-\n' > own/data/devices.tsv
    $ RECKON_MODELS=own reckon devices mine | head -n 5
    mine: Mine (Me, 2026)

    memory                                    1  GB
    bandwidth of the memory                  10  GB/s
    fp32                              not known
    $ printf 'device\tmine\n' > own/data/devices.tsv
    $ RECKON_MODELS=own reckon devices mine
    reckon: own/data/devices.tsv:1: a line has too many or too few cells: 'device'
    [1]
